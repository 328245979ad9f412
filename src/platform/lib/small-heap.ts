import { setFlagsFromString } from 'node:v8';

/** How much garbage may lie in the heap, in percent of what is alive, until it is collected. */
const GARBAGE_PERCENT = 25;

/**
 * Makes V8 collect garbage sooner, for a command that makes much and keeps little: otherwise the heap grows to three times
 * what is alive, and what lies outside it with it. New objects get no more space than they have now.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
  setFlagsFromString('--semi-space-growth-factor=1');
}
