import { useState } from 'react';
import { useLocation } from 'react-router';
import type { FormAnswer } from '../requests/forms.ts';

/** A key for a form that is made anew, empty, each time something was kept. After a mistake it stays, with its focus. */
export function useKeptKey(answer: FormAnswer | undefined): string {
  const { key } = useLocation();
  const [kept, setKept] = useState(key);
  if (!answer && kept !== key) setKept(key);
  return kept;
}
