import * as m from '../i18n/messages.ts';
import { PICTURES } from '../lib/picture.ts';
import { usePrefix } from '../lib/prefix.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { FileField } from '../parts/forms/settings-fields.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';

type PictureFormProps = {
  answer: FormAnswer | undefined;
  intent: string;
  label: string;
  help: string;
  src: string | null;
};

/** Uploads or removes an image of a board or a user. */
export function PictureForm({ answer, intent, label, help, src }: PictureFormProps) {
  const prefix = usePrefix();
  const l = useLocale();
  return (
    <PageForm answer={answer} intent={intent} encType="multipart/form-data">
      {src && <img className="picture-now" src={prefix + src} alt={m.pictureNow(l)} />}
      <FileField key={src} name="picture" label={label} help={help} accept={PICTURES} />
      <div className="row">
        <Submit>{m.save(l)}</Submit>
        {src && (
          <Submit kind="plain" name="remove" value="on">
            {m.remove(l)}
          </Submit>
        )}
      </div>
    </PageForm>
  );
}
