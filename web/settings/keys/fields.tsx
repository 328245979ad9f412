import { useState } from 'react';
import * as m from '../../i18n/messages.ts';
import { Checkbox, GroupError, TextArea, TextField } from '../../parts/forms/form.tsx';
import { useLocale } from '../../parts/requests/locale.ts';
import { type KeyFields, splitAddresses, TAG_FIELD } from './settings.ts';

type KeyFieldsetProps = { fields: KeyFields; address: string; tags: readonly TagChoice[] };

/** The fields of a key: name, permissions, addresses, rate limits, expiry and budget. */
export function KeyFieldset({ fields, address, tags }: KeyFieldsetProps) {
  const l = useLocale();
  const { name, read, write, webhooks, ips, expires, limits, budget } = fields;
  return (
    <>
      <TextField
        name="name"
        label={m.keyName(l)}
        help={m.keyNameHelp(l)}
        defaultValue={name}
        maxLength={100}
        required
      />
      <fieldset>
        <legend>{m.permissions(l)}</legend>
        <Checkbox name="read" label={m.permissionRead(l)} defaultChecked={read} />
        <Checkbox name="write" label={m.permissionWrite(l)} defaultChecked={write} />
        <Checkbox name="webhooks" label={m.permissionWebhooks(l)} defaultChecked={webhooks} />
        <GroupError name="permissions" />
      </fieldset>
      <AddressField ips={ips} address={address} />
      <fieldset>
        <legend>{m.limits(l)}</legend>
        <p className="help muted small">{m.limitsHelp(l)}</p>
        <div className="thirds">
          <LimitField name="perSecond" label={m.perSecond(l)} limit={limits.perSecond} />
          <LimitField name="perMinute" label={m.perMinute(l)} limit={limits.perMinute} />
          <LimitField name="perHour" label={m.perHour(l)} limit={limits.perHour} />
        </div>
      </fieldset>
      <TextField name="expires" type="date" label={m.expires(l)} help={m.expiresHelp(l)} defaultValue={expires} />
      <BudgetFieldset budget={budget} tags={tags} />
    </>
  );
}

/** A tag that a budget can allow. */
export type TagChoice = { id: string; name: string };

type BudgetProps = { budget: KeyFields['budget']; tags: readonly TagChoice[] };

/** What may be changed in a day, and with which tags. */
export function BudgetFieldset({ budget, tags }: BudgetProps) {
  const l = useLocale();
  return (
    <fieldset>
      <legend>{m.budget(l)}</legend>
      <div className="stack">
        <p className="help muted small">{m.budgetHelp(l)}</p>
        <div className="stack thirds">
          <MostField name="operations" label={m.budgetOperations(l)} most={budget.operations} />
          <MostField name="votes" label={m.budgetVotes(l)} most={budget.votes} />
        </div>
        {budget.tags
          .filter((id) => !tags.some((tag) => tag.id === id))
          .map((id) => (
            // Of a tag that is gone: without it, the last one would leave a budget that allows all tags.
            <input key={id} type="hidden" name={`${TAG_FIELD}${id}`} value="on" />
          ))}
        {tags.length > 0 && (
          <details open={budget.tags.length > 0}>
            <summary>{m.budgetTags(l)}</summary>
            <p className="help muted small">{m.budgetTagsHelp(l)}</p>
            <div className="thirds">
              {tags.map(({ id, name }) => (
                <Checkbox key={id} name={`${TAG_FIELD}${id}`} label={name} defaultChecked={budget.tags.includes(id)} />
              ))}
            </div>
          </details>
        )}
      </div>
    </fieldset>
  );
}

function MostField({ most, ...rest }: { name: string; label: string; most: string }) {
  return <TextField {...rest} type="number" inputMode="numeric" min={0} defaultValue={most} />;
}

function LimitField({ name, label, limit }: { name: string; label: string; limit: string }) {
  return <TextField name={name} type="number" inputMode="numeric" min={1} label={label} defaultValue={limit} />;
}

/** Addresses, with invalid ones reported while typing. */
function AddressField({ ips, address }: { ips: string; address: string }) {
  const l = useLocale();
  const [typed, setTyped] = useState(ips);
  const parts = splitAddresses(typed);
  const wrong = findWrongAddresses(parts);
  const found =
    wrong.length > 0
      ? m.addressWrong(l, { address: wrong[0] ?? '' })
      : parts.length > 0
        ? m.addressCount(l, { count: parts.length })
        : m.addressAll(l);
  return (
    <div className="stack tight">
      <TextArea
        name="allowedIps"
        label={m.addresses(l)}
        help={m.addressesHelp(l, { address })}
        defaultValue={ips}
        rows={2}
        onChange={setTyped}
      />
      <p className="small" role="status" data-wrong={wrong.length > 0 || undefined}>
        {found}
      </p>
    </div>
  );
}

/** Parts of a text that are not addresses or blocks. The server decides; this only helps while typing. */
function findWrongAddresses(parts: readonly string[]): string[] {
  return parts.filter((part) => !isAddressBlock(part));
}

function isAddressBlock(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const isV4 = isIPv4(address);
  if (more.length > 0 || !(isV4 || isIPv6(address))) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isV4 ? 32 : 128));
}

function isIPv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIPv6(text: string): boolean {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return false;
  return URL.canParse(`http://[${text}]/`);
}
