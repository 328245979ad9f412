import { useSyncExternalStore } from 'react';
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { changeAccountPicture } from '#src/feedback/files/account-pictures.ts';
import { isOwnPicture } from '#src/identity/accounts/rules.ts';
import { disallowVoting, listAllowed } from '#src/identity/keys/visitors.ts';
import { joinBoard } from '#src/identity/team/members.ts';
import { requireFiles } from '#src/pages/form-body.ts';
import { timeZones } from '#src/platform/lib/time-zone.ts';
import { countAttempt } from '#src/platform/limits/throttle.ts';
import { parseLocale } from '../i18n/format.ts';
import { languageNames } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { readPicture } from '../lib/picture.ts';
import { PageForm, Select, Submit, TextField } from '../parts/forms/form.tsx';
import { SaveBar } from '../parts/forms/settings-fields.tsx';
import { type FormAnswer, formAnswerOf, orFormAnswer, readFormWithFile } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { changeOwnPeople, type OwnSettings, requireSelf } from '../parts/requests/member.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { PictureForm } from './picture-form.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { visit, context, user, account } = await requireSelf(args);
  const allowed = user ? await listAllowed(visit.db.read, visit.clock.now(), user) : [];
  return {
    account: account && { name: account.name, picture: isOwnPicture(account.image) ? account.image : null },
    locale: user?.locale ?? '',
    timeZone: user?.time_zone ?? '',
    ofBoard: { locale: context.board.locale, timeZone: context.board.time_zone },
    timeZones: timeZones(),
    sites: allowed.map(({ id, name, origins }) => ({ id, name, origins: origins.split(' ').join(', ') })),
  };
}

export async function action(args: ActionFunctionArgs) {
  const own = await requireSelf(args);
  const { visit, context, user, account } = own;
  const { form, file } = await readFormWithFile(args.request, 'picture');
  return orFormAnswer(form, async () => {
    await countAttempt(visit.db, visit.clock, 'profiles of', account?.id ?? user?.id ?? '');
    if (account && form.intent === 'picture') {
      requireFiles(form, 'picture');
      const picture = form.remove ? null : await readPicture(file);
      const people = await changeAccountPicture(context, visit.folder, account.id, picture);
      for (const person of people) visit.personChanged(person);
    }
    if (user && form.intent === 'disallow') await disallowVoting({ ...context, actor: user }, form.id ?? '');
    if (form.intent === 'profile') await changeProfile(own, form);
    throw redirect(reportDone(visit, `/b/${context.board.pid}/settings/profile?done=saved`));
  });
}

/** On all boards of the account. An account without a user on this board gets one, which stores the choice. */
async function changeProfile(own: OwnSettings, { name = '', locale = '', timeZone = '' }: Record<string, string>) {
  const { visit, context, user, account } = own;
  if (account && name !== account.name) await visit.access.changeName(name);
  if (account && !user) await joinBoard(context, account);
  await changeOwnPeople(own, { locale: locale || null, timeZone: timeZone || null });
}

/** How the user appears, and the language and time zone of their pages and mails. */
export default function Profile() {
  const { account, locale, ofBoard, sites, ...zones } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack sections">
      <PageTitle>{m.profile(l)}</PageTitle>
      {!account && <p className="note">{m.profileOfSso(l)}</p>}
      <PageForm answer={answer} intent="profile" isGuarded>
        {account && (
          <TextField
            name="name"
            label={m.yourName(l)}
            defaultValue={account.name}
            autoComplete="name"
            maxLength={100}
            required
          />
        )}
        <Select
          name="locale"
          label={m.language(l)}
          help={m.ownLanguageHelp(l)}
          defaultValue={locale}
          options={{ '': m.asTheBoard(l, { value: languageNames[parseLocale(ofBoard.locale)] }), ...languageNames }}
        />
        <TimeZoneField {...zones} ofBoard={ofBoard.timeZone} />
        <SaveBar>
          <Submit>{m.save(l)}</Submit>
        </SaveBar>
      </PageForm>
      {account && (
        <section className="stack" aria-labelledby="picture">
          <h2 id="picture">{m.ownPicture(l)}</h2>
          <PictureForm
            answer={answer}
            intent="picture"
            label={m.ownPictureFile(l)}
            help={m.ownPictureHelp(l)}
            src={account.picture}
          />
        </section>
      )}
      {sites.length > 0 && <Sites sites={sites} answer={answer} />}
    </div>
  );
}

type SitesProps = { sites: { id: string; name: string; origins: string }[]; answer: FormAnswer | undefined };

/** The websites and apps that may vote in the user's name, each with a button that ends it. */
function Sites({ sites, answer }: SitesProps) {
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="sites">
      <h2 id="sites">{m.allowedSites(l)}</h2>
      <ul className="rows">
        {sites.map(({ id, name, origins }) => (
          <li key={id} className="row-item">
            <div className="person">
              <bdi>{name}</bdi>
              <bdi className="muted small">{origins}</bdi>
            </div>
            <PageForm answer={answer} intent="disallow" className="inline">
              <input type="hidden" name="id" value={id} />
              <Submit kind="plain">
                {m.allowedEnd(l)} <span className="visually-hidden">{name}</span>
              </Submit>
            </PageForm>
          </li>
        ))}
      </ul>
    </section>
  );
}

type TimeZoneFieldProps = { timeZone: string; timeZones: readonly string[]; ofBoard: string };

/** Suggests the time zone of the browser until one is chosen. */
function TimeZoneField({ timeZone, timeZones, ofBoard }: TimeZoneFieldProps) {
  const l = useLocale();
  const ofBrowser = useSyncExternalStore(never, zoneOfBrowser, () => '');
  const shown = timeZone || ofBrowser;
  const all = shown === '' || timeZones.includes(shown) ? timeZones : [shown, ...timeZones];
  return (
    <Select
      key={shown}
      name="timeZone"
      label={m.timeZone(l)}
      help={m.ownTimeZoneHelp(l)}
      defaultValue={shown}
      options={{
        '': m.asTheBoard(l, { value: ofBoard }),
        ...Object.fromEntries(all.map((zone) => [zone, zone.replaceAll('_', ' ')])),
      }}
    />
  );
}

const never = () => () => {};

function zoneOfBrowser(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
}
