import { finish } from '../../support/erasing.ts';
import type { Any, Doing, Operation } from '../operation.ts';
import { actsForOthers } from '../rights.ts';
import { type Person, roles, type World } from '../world.ts';

function personOf({ world, args }: Omit<Doing, 'answer'>): Person | undefined {
  return world.people.find(({ ssoId }) => ssoId === args.ssoId);
}

const deleteUser: Operation = {
  weight: 1,
  choose: (pick) => ({
    ssoId: pick.one(['max', 'eve', 'dan', 'uwe', 'größe', 'ada', 'nobody']),
    keepContent: pick.maybe(0.5, () => true),
  }),
  problems(doing) {
    const { world, actor } = doing;
    const person = personOf(doing);
    if (!person) return ['NOT_FOUND'];
    const isAbove = roles.indexOf(person.role) > roles.indexOf(actor.role);
    const owners = world.people.filter(({ role }) => role === 'OWNER');
    return [
      ...((person === actor || actsForOthers(actor)) && !isAbove ? [] : ['FORBIDDEN' as const]),
      ...(person.role === 'OWNER' && owners.length === 1 ? ['CONFLICT' as const] : []),
    ];
  },
  apply(doing) {
    erase(doing.world, personOf(doing) as Person);
  },
  settle: (app) => finish(app),
};

/** Removes the person from what they wrote, which stays, and from their votes, which count. */
function erase(world: World, person: Person): void {
  person.isErased = true;
  world.people.splice(world.people.indexOf(person), 1);
  for (const post of world.posts) {
    post.followers.delete(person);
    post.assignees.delete(person);
  }
  for (const { reactions } of [...world.entries, ...world.comments]) reactions.delete(person);
  for (const [email, invitation] of world.invitations) {
    if (email === person.email || invitation.by === person) world.invitations.delete(email);
  }
  for (const event of world.events) {
    const data: Any = event.data;
    const told = [data, data.post, data.comment, data.entry].find((part) => part?.user?.id === person.id);
    if (told) told.user = null;
  }
}

export const erasingOperations = { deleteUser };
