import { useFetchers, useNavigation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';

/** A bar at the top while a page or a form is under way, which shows itself after 300 ms. What loads unasked has none. */
export function Pending() {
  const l = useLocale();
  const isLoading = useNavigation().state !== 'idle';
  const isSending = useFetchers().some(({ state, formMethod }) => state !== 'idle' && formMethod !== 'GET');
  if (!isLoading && !isSending) return null;
  return (
    <div role="status">
      <div className="pending-bar" role="progressbar" aria-label={m.loading(l)} />
    </div>
  );
}
