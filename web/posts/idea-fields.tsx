import * as m from '../i18n/messages.ts';
import { Checkbox, GroupError, Select, TextArea, TextField } from '../parts/forms/form.tsx';
import { useLocale } from '../parts/requests/locale.ts';
import type { IdeaField } from './idea-fields.ts';

const kinds = { TEXT: 'text', NUMBER: 'text', DATE: 'date', URL: 'url' } as const;

/** What the board asks for with an idea. */
export function IdeaFields({ fields }: { fields: readonly IdeaField[] }) {
  return fields.map((field) => <Control key={field.id} field={field} />);
}

function Control({ field: { id, label, description: help, type, isRequired, options, values } }: { field: IdeaField }) {
  const l = useLocale();
  const shared = { name: `field:${id}`, label, help, required: isRequired };
  const [defaultValue = ''] = values;
  switch (type) {
    case 'TEXT_LONG':
      return <TextArea {...shared} defaultValue={defaultValue} rows={3} />;
    case 'CHECKBOX':
      return <Checkbox {...shared} defaultChecked={defaultValue === 'true'} isRequired={isRequired} />;
    case 'SELECTION':
      return (
        <Select
          {...shared}
          defaultValue={defaultValue}
          options={{ '': m.chooseOne(l), ...Object.fromEntries(options.map(({ id, name }) => [id, name])) }}
        />
      );
    case 'SELECTION_MULTI':
      return (
        <fieldset data-required={isRequired || undefined}>
          <legend>{label}</legend>
          {help && <p className="help">{help}</p>}
          {options.map((option) => (
            <Checkbox
              key={option.id}
              name={`${shared.name}:${option.id}`}
              label={option.name}
              defaultChecked={values.includes(option.id)}
            />
          ))}
          <GroupError name={shared.name} />
        </fieldset>
      );
    default:
      return (
        <TextField
          {...shared}
          defaultValue={defaultValue}
          type={kinds[type]}
          inputMode={type === 'NUMBER' ? 'decimal' : undefined}
        />
      );
  }
}
