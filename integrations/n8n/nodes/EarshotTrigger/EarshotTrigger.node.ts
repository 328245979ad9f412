import type { IDataObject, INodeExecutionData, INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { connect, nodeError } from '../shared/connecting.ts';
import { EVENT_TYPES, type FlowEvent, poll, readSamples } from '../shared/polling.ts';

/** n8n polls once a minute at most, unless told otherwise, and also while the poll before still runs. */
const PAGES_MS = 20_000;
const MAX_WAIT_MS = 10_000;

/** The flows that are polled now: a second poll would get the same events. */
const polling = new Set<string>();

export class EarshotTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Earshot Trigger',
    name: 'earshotTrigger',
    icon: { light: 'file:../../icons/earshot.svg', dark: 'file:../../icons/earshot.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].length ? $parameter["events"].join(", ") : "all events"}}',
    description: 'Starts the flow with what happens on an Earshot board, in order and without a gap',
    defaults: { name: 'Earshot Trigger' },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'earshotApi', required: true }],
    properties: [
      {
        displayName:
          'The flow begins with what happens after it is activated. While it is off, events wait: it continues where it was.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: Object.entries(EVENT_TYPES)
          .map(([value, name]) => ({ name, value }))
          .sort((a, b) => a.name.localeCompare(b.name)),
        default: ['post.created'],
        description: 'The events to start with; none: all of them',
      },
      {
        displayName: 'If Events Are No Longer Kept',
        name: 'afterGap',
        type: 'options',
        options: [
          {
            name: 'Stop With an Error',
            value: 'stop',
            description: 'The flow does not run until you choose to continue',
          },
          {
            name: 'Continue With the Oldest',
            value: 'continue',
            description: 'The flow continues with the oldest event that is kept',
          },
        ],
        default: 'stop',
        description:
          'What to do if the flow was off for longer than the server keeps events. By default, servers keep all of them.',
      },
    ],
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const flow = `${this.getWorkflow().id}:${this.getNode().id}`;
    if (polling.has(flow)) return null;
    polling.add(flow);
    try {
      const events = await (this.getMode() === 'manual' ? sample(this) : takeEvents(this));
      return events.length === 0 ? null : [events.map((event) => ({ json: event as unknown as IDataObject }))];
    } catch (error) {
      throw nodeError(this.getNode(), error);
    } finally {
      polling.delete(flow);
    }
  }
}

async function sample(functions: IPollFunctions): Promise<FlowEvent[]> {
  return readSamples(await connect(functions, MAX_WAIT_MS), { types: typesOf(functions) });
}

/** The events since the last poll. n8n stores the cursor together with them. */
async function takeEvents(functions: IPollFunctions): Promise<FlowEvent[]> {
  const ask = await connect(functions, MAX_WAIT_MS);
  const place = functions.getWorkflowStaticData('node');
  const begun = Date.now();
  const { events, cursor } = await poll(ask, typeof place.cursor === 'string' ? place.cursor : undefined, {
    types: typesOf(functions),
    continuesAfterGap: functions.getNodeParameter('afterGap', 'stop') === 'continue',
    hasTime: () => Date.now() - begun < PAGES_MS,
  });
  place.cursor = cursor;
  return events;
}

function typesOf(functions: IPollFunctions): string[] {
  return functions.getNodeParameter('events', []) as string[];
}
