import type {
  IDataObject,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  INodeListSearchResult,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { connect, nodeError } from '../shared/connecting.ts';
import { documents } from '../shared/documents.ts';
import { keyOfItem } from '../shared/once.ts';
import { makeRunning, operations } from '../shared/operations.ts';
import { properties } from './properties.ts';

export class Earshot implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Earshot',
    name: 'earshot',
    icon: { light: 'file:../../icons/earshot.svg', dark: 'file:../../icons/earshot.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Work with the ideas of an Earshot feedback board',
    defaults: { name: 'Earshot' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'earshotApi', required: true }],
    properties,
  };

  methods = {
    loadOptions: {
      async getStatuses(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        return namesFrom(this, documents.listStatuses, 'listStatuses');
      },
      async getTags(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        return namesFrom(this, documents.listTags, 'listTags');
      },
    },
    listSearch: {
      async searchIdeas(
        this: ILoadOptionsFunctions,
        filter?: string,
        paginationToken?: string,
      ): Promise<INodeListSearchResult> {
        try {
          const ask = await connect(this);
          const variables = { search: filter, cursor: paginationToken };
          const { posts } = await ask<{ posts: FoundIdeas }>(documents.searchIdeas, variables);
          const results = posts.nodes.map(({ id, number, title, url, status }) => ({
            name: `#${number} ${title} (${status.name})`,
            value: id,
            url,
          }));
          return posts.cursor === null ? { results } : { results, paginationToken: posts.cursor };
        } catch (error) {
          throw nodeError(this.getNode(), error);
        }
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData();
    const running = makeRunning(await connect(this));
    const results: INodeExecutionData[] = [];
    for (let i = 0; i < items.length; i++) {
      const name = `${this.getNodeParameter('resource', i)}.${this.getNodeParameter('operation', i)}`;
      const operation = operations[name];
      if (!operation) throw new NodeOperationError(this.getNode(), `There is no operation ${name}`, { itemIndex: i });
      const read = (parameter: string) => this.getNodeParameter(parameter, i, null);
      try {
        const found = await operation(running, read, keyOf(this, i, name));
        results.push(...found.map((json) => ({ json: json as IDataObject, pairedItem: { item: i } })));
      } catch (error) {
        const shown = nodeError(this.getNode(), error, i);
        if (!this.continueOnFail()) throw shown;
        results.push({ json: { error: shown.message }, error: shown, pairedItem: { item: i } });
      }
    }
    return [results];
  }
}

type FoundIdeas = {
  nodes: { id: string; number: number; title: string; url: string; status: { name: string } }[];
  cursor: string | null;
};

async function namesFrom(
  functions: ILoadOptionsFunctions,
  document: string,
  field: string,
): Promise<INodePropertyOptions[]> {
  try {
    const ask = await connect(functions);
    const found = (await ask<Record<string, { id: string; name: string }[]>>(document))[field] ?? [];
    return found.map(({ id, name }) => ({ name, value: id }));
  } catch (error) {
    throw nodeError(functions.getNode(), error);
  }
}

/** A repeated attempt of an item, as with "Retry On Fail", has the key of the first. */
function keyOf(functions: IExecuteFunctions, i: number, operation: string): string {
  const run = functions.evaluateExpression('{{ $runIndex }}', i);
  const place = [functions.getExecutionId(), functions.getNode().id, String(run), i];
  return keyOfItem(place, [operation, functions.getNode().parameters, functions.getInputData()[i]?.json]);
}
