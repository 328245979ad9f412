import { type Any, type Code, type Doing, type Operation, textProblems } from '../operation.ts';
import type { Picker } from '../picker.ts';
import { isAdmin } from '../rights.ts';
import { BOARD, type Field, type FieldType, REFERENCE, stored } from '../world.ts';

const labels = ['Size', 'size', 'Größe', 'Plan', 'Due', 'Seats', '重要度'];
const isSelection = (type: FieldType) => type === 'SELECTION' || type === 'SELECTION_MULTI';

function chooseOptions(pick: Picker): Any[] {
  const some = ['Small', 'Medium', 'Large', 'Extra'].filter(() => pick.chance(0.7));
  return some.map((name) => ({ id: `opt-${name.toLowerCase()}`, name: pick.chance(0.2) ? `${name}!` : name }));
}

function problemsOf({ world, actor, args }: Omit<Doing, 'answer'>, type: FieldType | undefined, own?: Field): Code[] {
  const folded = args.label === undefined ? null : stored(args.label).toLowerCase();
  const isTaken = world.fields.some((field) => field !== own && field.label.toLowerCase() === folded);
  const lacksOptions = type !== undefined && isSelection(type) && !(args.options ?? own?.options)?.length;
  const hasTooMany = type !== undefined && !isSelection(type) && args.options?.length > 0;
  return [
    ...(isAdmin(actor) ? [] : ['FORBIDDEN' as const]),
    ...textProblems(args.label, 1, 100),
    ...(isTaken ? ['CONFLICT' as const] : []),
    ...(lacksOptions || hasTooMany ? ['BAD_REQUEST' as const] : []),
  ];
}

const createField: Operation = {
  weight: 2,
  choose(pick) {
    const type = pick.one<FieldType>(['TEXT', 'NUMBER', 'DATE', 'URL', 'CHECKBOX', 'SELECTION', 'SELECTION_MULTI']);
    return {
      boardId: pick.chance(0.05) ? pick.post() : pick.board(),
      label: pick.chance(0.5) ? pick.one(labels) : pick.text(100),
      type,
      options: isSelection(type) !== pick.chance(0.05) ? chooseOptions(pick) : undefined,
      isRequired: pick.maybe(0.15, () => true),
      visibility: pick.maybe(0.4, () => pick.one(['PUBLIC', 'TEAM'])),
    };
  },
  problems(doing) {
    const { world, args } = doing;
    return [
      ...problemsOf(doing, args.type),
      ...(args.boardId === `${REFERENCE}${BOARD}` ? [] : ['NOT_FOUND' as const]),
      ...(world.fields.length < 50 ? [] : ['CONFLICT' as const]),
    ];
  },
  apply({ world, args, key, answer }) {
    const { label, type, isRequired = false, visibility = 'PUBLIC', options = [] } = args;
    const field = { key: `field ${key}`, id: answer.id, label: stored(label), type, isRequired, visibility };
    world.fields.push({ ...field, options: options.map(({ id, name }: Any) => ({ id, name })) });
  },
};

const updateField: Operation = {
  weight: 2,
  choose: (pick) => ({
    id: pick.field(),
    label: pick.maybe(0.3, () => pick.one(labels)),
    isRequired: pick.maybe(0.3, () => pick.chance(0.2)),
    visibility: pick.maybe(0.3, () => pick.one(['PUBLIC', 'TEAM'])),
    options: pick.maybe(0.3, () => chooseOptions(pick)),
  }),
  problems(doing) {
    const field = doing.world.find(doing.world.fields, doing.args.id);
    return [...problemsOf(doing, field?.type, field), ...(field ? [] : ['NOT_FOUND' as const])];
  },
  apply({ world, args }) {
    const field = world.find(world.fields, args.id) as Field;
    field.label = args.label === undefined ? field.label : stored(args.label);
    field.isRequired = args.isRequired ?? field.isRequired;
    field.visibility = args.visibility ?? field.visibility;
    if (args.options === undefined || !isSelection(field.type)) return;
    field.options = args.options.map(({ id, name }: Any) => ({ id, name }));
    const ids = new Set(field.options.map(({ id }) => id));
    for (const post of world.posts) {
      const left = post.values.get(field)?.filter((value) => ids.has(value));
      if (left?.length === 0) post.values.delete(field);
      else if (left) post.values.set(field, left);
    }
  },
};

const deleteField: Operation = {
  weight: 1,
  choose: (pick) => ({ id: pick.field() }),
  problems: ({ world, actor, args }) => [
    ...(isAdmin(actor) ? [] : ['FORBIDDEN' as const]),
    ...(world.find(world.fields, args.id) ? [] : ['NOT_FOUND' as const]),
  ],
  apply({ world, args }) {
    const field = world.find(world.fields, args.id) as Field;
    world.fields.splice(world.fields.indexOf(field), 1);
    for (const post of world.posts) post.values.delete(field);
  },
};

const rearrangeFields: Operation = {
  weight: 1,
  choose: (pick) => ({ ids: Array.from({ length: pick.number(4) }, () => pick.field()) }),
  problems: ({ world, actor, args }) => [
    ...(isAdmin(actor) ? [] : ['FORBIDDEN' as const]),
    ...(new Set(args.ids).size === args.ids.length ? [] : ['BAD_REQUEST' as const]),
    ...(args.ids.every((id: string) => world.find(world.fields, id)) ? [] : ['NOT_FOUND' as const]),
  ],
  apply({ world, args }) {
    const named: Field[] = args.ids.map((id: string) => world.find(world.fields, id));
    const next = named.values();
    const order = world.fields.map((field) => (named.includes(field) ? (next.next().value ?? field) : field));
    world.fields.splice(0, order.length, ...order);
  },
  answers: () => true,
};

export const fieldOperations = { createField, updateField, deleteField, rearrangeFields };
