import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { plans } from '#src/identity/board/board.ts';
import { changePlan } from '#src/identity/settings/settings.ts';
import { may } from '#src/identity/users/authority.ts';
import type { Plan } from '../../../src/identity/board/board.ts';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../../lib/forms.ts';
import { useLocale } from '../../lib/locale.ts';
import { requireMember } from '../../lib/member.ts';
import { PageForm, Submit } from '../../ui/form.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { context } = await requireMember(args, 'board.edit');
  return { plan: context.board.plan, plans: plans, mayChange: may(context.actor, 'plan.change') };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'board.edit');
  const form = await readForm(args.request);
  return orFormAnswer(form, async () => {
    await changePlan(context, form.plan ?? '');
    visit.keysChanged();
    throw redirect(`/b/${context.board.pid}/settings/plan?done=saved`);
  });
}

/** The plans, what each allows, and which one the board is on. */
export default function PlanPage() {
  const { plan, plans, mayChange } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack wide">
      <PageTitle>{m.plan(l)}</PageTitle>
      <p className="muted">{m.planHelp(l)}</p>
      {answer?.message && (
        <p className="note" data-kind="error" role="alert">
          {answer.message}
        </p>
      )}
      <ul className="plans">
        {plans.map((each) => (
          <li key={each} className="card stack" aria-current={each === plan ? 'true' : undefined}>
            <h2>{planName(l, each)}</h2>
            <ul>
              <li>{m.planBoard(l)}</li>
              <li>{m.planWebhooks(l)}</li>
              <li>{each === 'FREE' ? m.planNoApi(l) : m.planApi(l)}</li>
              {each === 'ENTERPRISE' && <li>{m.planSupport(l)}</li>}
            </ul>
            {each === plan ? (
              <p className="status plan-current">{m.planCurrent(l)}</p>
            ) : (
              mayChange && (
                <PageForm answer={undefined}>
                  <input type="hidden" name="plan" value={each} />
                  <Submit kind="plain">{m.planChoose(l, { plan: planName(l, each) })}</Submit>
                </PageForm>
              )
            )}
          </li>
        ))}
      </ul>
      {!mayChange && <p className="muted small">{m.planOwnerOnly(l)}</p>}
    </div>
  );
}

function planName(l: Locale, plan: Plan): string {
  return { FREE: m.planFree(l), PRO: m.planPro(l), ENTERPRISE: m.planEnterprise(l) }[plan];
}
