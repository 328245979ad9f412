import { redirect } from 'react-router';
import type { Visit } from '#src/pages/visit.ts';

/** What `ConfirmOwner` shows. */
export async function viewOwner({ access: { ownerCheck } }: Visit) {
  return { needs: await ownerCheck.needs(), isWaiting: await ownerCheck.isWaiting() };
}

/** Handles the forms of `ConfirmOwner`; returns for all others. @param here the path of their page */
export async function confirmOwner({ access }: Visit, form: Record<string, string>, here: string): Promise<void> {
  if (form.intent === 'owner-mail') {
    await access.ownerCheck.requestCode(here);
    throw redirect(here);
  }
  if (form.intent === 'owner-code') {
    await access.ownerCheck.redeemCode(form.code ?? '');
    throw redirect(here);
  }
}
