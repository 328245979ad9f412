import type { Random } from '../crash/random.ts';
import type { Target } from './target.ts';
import { type Answer, type HostileRequest, send } from './wire.ts';

/** A kind of request. What it sends is new each time, so that no cache answers for the server. */
export type Attack = {
  name: string;
  carryOut(target: Target, random: Random): Promise<readonly Answer[]>;
};

/** Attacks at one door of the server, by their names. */
export type Door = { name: string; attacks: readonly Attack[] };

type MakeRequests = (target: Target, random: Random) => HostileRequest | readonly HostileRequest[];

/** A door at which one request, or a few in a row, are an attack. */
export function makeDoor(name: string, requests: Readonly<Record<string, MakeRequests>>): Door {
  const attacks = Object.entries(requests).map(([what, make]) => ({
    name: `${name}: ${what}`,
    async carryOut(target: Target, random: Random) {
      const answers: Answer[] = [];
      for (const request of [make(target, random)].flat()) {
        answers.push(await send(target.port, withSender(request, random)));
      }
      return answers;
    },
  }));
  return { name, attacks };
}

/** Each request comes from somewhere else, or soon all would be refused for their number alone. */
function withSender(request: HostileRequest, random: Random): HostileRequest {
  return { ...request, headers: { 'x-forwarded-for': addressOf(random), ...request.headers } };
}

/** An address of the world outside. */
export function addressOf(random: Random): string {
  const part = () => 1 + Math.floor(random.next() * 250);
  return `11.${part()}.${part()}.${part()}`;
}

/** Attacks that are alike, by their names. */
export function eachOf<T>(
  values: Readonly<Record<string, T>>,
  make: (value: T, name: string) => Record<string, MakeRequests>,
): Record<string, MakeRequests> {
  return Object.assign({}, ...Object.entries(values).map(([name, value]) => make(value, name)));
}
