import { type ActionFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { changeBrandImage } from '#src/feedback/files/branding.ts';
import type { BoardRow } from '#src/identity/board/board.ts';
import { DEFAULT_COLOR } from '#src/identity/board/brand.ts';
import { checkDomain } from '#src/identity/settings/dns.ts';
import { changeBoard } from '#src/identity/settings/settings.ts';
import { requireFiles } from '#src/pages/form-body.ts';
import type { Visit } from '#src/pages/visit.ts';
import { PictureForm } from '../account/picture-form.tsx';
import { languageNames } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { readPicture } from '../lib/picture.ts';
import { Checkbox, PageForm, Select, Submit, TextArea, TextField } from '../parts/forms/form.tsx';
import { SaveBar } from '../parts/forms/settings-fields.tsx';
import { formAnswerOf, orFormAnswer, ownOf, readFormWithFile } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberLoader, requireMember } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { BrandColor, chosenColor } from '../setup/brand-color.tsx';

const BRAND_IMAGES = { logo: 'LOGO', icon: 'FAVICON' } as const;

export const loader = memberLoader('board.edit', ({ context }) => {
  const { name, description, pid, domain, locale, brand_color, is_roadmap_enabled, is_indexed, logo_url, favicon_url } =
    context.board;
  const color = brand_color ?? DEFAULT_COLOR;
  return {
    board: {
      name,
      description,
      pid,
      domain,
      locale,
      isRoadmapEnabled: is_roadmap_enabled === 1,
      isIndexed: is_indexed === 1,
    },
    logo: logo_url,
    icon: favicon_url,
    color,
  };
});

export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'board.edit');
  const { form, file } = await readFormWithFile(args.request, 'picture');
  return orFormAnswer(form, async () => {
    const { name = '', description = '', pid = '', domain = '', locale = '' } = form;
    const changes = {
      basics: { name, description, locale, isRoadmapEnabled: form.roadmap === 'on', isIndexed: form.indexed === 'on' },
      look: { brandColor: chosenColor(form, context.board.brand_color ?? DEFAULT_COLOR) },
      address: { pid, domain },
    };
    const { intent = '' } = form;
    if (intent === 'dns') return { dns: await checkBoardDomain(visit, context.board) };
    const look = ownOf(BRAND_IMAGES, intent);
    const change = ownOf(changes, intent);
    if (!look && !change) throw new Response(null, { status: 400 });
    requireFiles(form, 'picture');
    const board = look
      ? await changeBrandImage(context, visit.folder, look, form.remove ? null : await readPicture(file))
      : await changeBoard(context, change ?? {});
    visit.keysChanged();
    throw redirect(withUndo(visit, `/b/${board.pid}/settings/general?done=saved`));
  });
}

/** Where the custom domain of a board leads now. */
async function checkBoardDomain({ baseUrl }: Visit, { domain }: BoardRow) {
  const own = new URL(baseUrl).hostname;
  return { own, domain: domain ?? '', found: domain === null ? null : await checkDomain(domain, own) };
}

/** The name, branding and URL of a board. */
export default function General() {
  const { board, color, logo, icon } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  return (
    <div className="stack sections">
      <PageTitle>{m.general(l)}</PageTitle>
      <PageForm answer={answer} intent="basics" isGuarded>
        <TextField name="name" label={m.boardName(l)} defaultValue={board.name} maxLength={100} required />
        <TextArea
          name="description"
          label={m.boardDescription(l)}
          help={m.boardDescriptionHelp(l)}
          defaultValue={board.description ?? ''}
          rows={3}
          maxLength={1_000}
        />
        <Select name="locale" label={m.language(l)} defaultValue={board.locale} options={languageNames} />
        <Checkbox name="roadmap" label={m.showRoadmap(l)} defaultChecked={board.isRoadmapEnabled} />
        <Checkbox
          name="indexed"
          label={m.letSearchEngines(l)}
          help={m.letSearchEnginesHelp(l)}
          defaultChecked={board.isIndexed}
        />
        <SaveBar>
          <Submit>{m.save(l)}</Submit>
        </SaveBar>
      </PageForm>
      <section className="stack" aria-labelledby="look">
        <h2 id="look">{m.branding(l)}</h2>
        <PageForm answer={answer} intent="look" isGuarded>
          <BrandColor key={color} color={color} />
          <SaveBar>
            <Submit>{m.save(l)}</Submit>
          </SaveBar>
        </PageForm>
        <PictureForm answer={answer} intent="logo" label={m.logo(l)} help={m.logoHelp(l)} src={logo} />
        <PictureForm answer={answer} intent="icon" label={m.icon(l)} help={m.iconHelp(l)} src={icon} />
      </section>
      <section className="stack" aria-labelledby="address">
        <h2 id="address">{m.address(l)}</h2>
        <PageForm answer={answer} intent="address" isGuarded>
          <TextField
            name="pid"
            label={m.boardPid(l)}
            help={m.boardPidChange(l)}
            defaultValue={board.pid}
            maxLength={40}
            required
          />
          <TextField
            name="domain"
            label={m.domain(l)}
            help={m.domainHelp(l)}
            defaultValue={board.domain ?? ''}
            placeholder="ideas.example.com"
            maxLength={253}
          />
          <SaveBar>
            <Submit>{m.save(l)}</Submit>
          </SaveBar>
        </PageForm>
        {board.domain && (
          <PageForm answer={undefined} intent="dns">
            {result && 'dns' in result && <DomainState dns={result.dns} />}
            <div className="row">
              <Submit kind="plain">{m.checkDns(l)}</Submit>
            </div>
          </PageForm>
        )}
      </section>
    </div>
  );
}

/** What DNS says of the custom domain. */
function DomainState({ dns: { own, domain, found } }: { dns: Awaited<ReturnType<typeof checkBoardDomain>> }) {
  const l = useLocale();
  const parts = { domain, host: own, addresses: found?.addresses.join(', ') ?? '' };
  if (!found) return <p className="note">{m.dnsLate(l)}</p>;
  if (found.isHere) return <p className="note">{m.domainHere(l, parts)}</p>;
  return (
    <p className="note" data-kind="warning">
      {found.addresses.length === 0 ? m.domainNowhere(l, parts) : m.domainElsewhere(l, parts)}
    </p>
  );
}
