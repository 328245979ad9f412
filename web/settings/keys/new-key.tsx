import { Link } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { CopyText } from '../../parts/team/copy.tsx';

/** A new key, with a request to try it: the only time that it is shown. */
export function NewKey({ secret, url, back }: { secret: string; url: string; back: string }) {
  const l = useLocale();
  const curl = `curl -s ${url}/api/v1/graphql -H 'apikey: ${secret}' -H 'content-type: application/json' -d '{"query":"{ board { name url } }"}'`;
  return (
    <div className="stack">
      <p className="note" data-kind="warning" role="alert">
        {m.keyOnce(l)}
      </p>
      <CopyText text={secret} label={m.yourKey(l)} />
      <CopyText text={curl} label={m.tryKey(l)} />
      <p>
        <Link className="button" data-kind="primary" to={back}>
          {m.keyStored(l)}
        </Link>
      </p>
    </div>
  );
}
