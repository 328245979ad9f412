import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { changeBrandImage } from '#src/feedback/files/branding.ts';
import { DEFAULT_COLOR, makeBrand } from '#src/identity/board/brand.ts';
import { changeBoard } from '#src/identity/settings/settings.ts';
import { languageNames } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { formAnswerOf, orFormAnswer, ownOf, readFormWithFile } from '../../lib/forms.ts';
import { useLocale } from '../../lib/locale.ts';
import { requireMember } from '../../lib/member.ts';
import { readPicture } from '../../lib/picture.ts';
import { BrandPreview } from '../../ui/brand-preview.tsx';
import { Checkbox, PageForm, Select, Submit, TextArea, TextField } from '../../ui/form.tsx';
import { SaveBar } from '../../ui/more-fields.tsx';
import { PictureForm } from '../../ui/own/picture-form.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

const BRAND_IMAGES = { logo: 'LOGO', icon: 'FAVICON' } as const;

export async function loader(args: LoaderFunctionArgs) {
  const { context } = await requireMember(args, 'board.edit');
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
    brand: makeBrand(color),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'board.edit');
  const { form, file } = await readFormWithFile(args.request, 'picture');
  return orFormAnswer(form, async () => {
    const { name = '', description = '', pid = '', domain = '', color = '', locale = '' } = form;
    const changes = {
      basics: { name, description, locale, isRoadmapEnabled: form.roadmap === 'on', isIndexed: form.indexed === 'on' },
      look: { brandColor: color },
      address: { pid, domain },
    };
    const { intent = '' } = form;
    const look = ownOf(BRAND_IMAGES, intent);
    const change = ownOf(changes, intent);
    if (!look && !change) throw new Response(null, { status: 400 });
    const board = look
      ? await changeBrandImage(context, visit.folder, look, form.remove ? null : await readPicture(file))
      : await changeBoard(context, change ?? {});
    visit.keysChanged();
    throw redirect(`/b/${board.pid}/settings/general?done=saved`);
  });
}

/** The name, branding and URL of a board. */
export default function General() {
  const { board, color, brand, logo, icon } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
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
        <Select name="locale" label={m.language(l)} defaultValue={board.locale} options={languageNames()} />
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
          <TextField
            key={color}
            name="color"
            type="color"
            label={m.brandColor(l)}
            help={m.brandColorHelp(l)}
            defaultValue={color}
          />
          <BrandPreview brand={brand} />
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
      </section>
    </div>
  );
}
