import type { FastifyInstance } from 'fastify';
import type { FileFolder } from '../feedback/files/folder.ts';
import { SandboxBudget } from '../operations/boards/budget.ts';
import type { Config } from '../platform/config.ts';
import { allowAnyOrigin } from '../platform/http/any-origin.ts';
import type { OwnOrigins } from '../platform/http/own-origins.ts';
import { prefixOf } from '../platform/http/prefix.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Sender } from '../webhooks/http/sender.ts';
import { chatInRoutes } from './chat-in/route.ts';
import { exportRoutes } from './exports/route.ts';
import { UPLOAD_PATH, uploadRoute } from './files/route.ts';
import { DryRuns } from './graphql/dry-run.ts';
import type { Executor } from './graphql/execute.ts';
import { graphqlRoute } from './graphql/route.ts';
import { printSdl } from './graphql/schema.ts';
import { MCP_PATH, mcpRoute } from './mcp/route.ts';
import { OPENAPI_PATH, printOpenApi } from './openapi/document.ts';
import { playgroundRoute } from './playground/playground.route.ts';
import type { PublishableGate } from './publishable/gate.ts';
import { publish } from './publishing.ts';
import { reachRoute } from './reach/route.ts';
import { sandboxRoute } from './sandbox/sandbox.route.ts';
import { streamRoute } from './stream/route.ts';
import { Streams } from './stream/streams.ts';
import { trackerRoutes } from './trackers/route.ts';
import { webhookRoutes } from './webhooks/route.ts';

type ApiDeps = Omit<ConstructorParameters<typeof Streams>[0], 'baseUrl'> & {
  config: Pick<Config, 'baseUrl' | 'trustProxy' | 'sandbox'>;
  sender: Sender;
  metrics: Metrics;
  folder: FileFolder;
  origins: OwnOrigins;
  executor: Executor;
  publishable: PublishableGate;
};

/** Adds the routes of the API, each with what pages of other sites may do there. */
export async function apiRoutes(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const { db, clock, log, gate, actors, metrics, stopping, sender, folder, origins, config, executor, publishable } =
    deps;
  const { baseUrl, trustProxy } = config;
  const { cipher } = sender;
  const reading = { db, clock, log, baseUrl, gate, actors };
  const streams = new Streams({ ...reading, metrics, stopping });
  const running = { executor, budget: new SandboxBudget(db), dryRuns: new DryRuns() };
  const operating = { ...reading, ...running, publishable, cipher, metrics, streams };
  await app.register(async (api) => {
    allowAnyOrigin(api, { '/api/v1/graphql': 'GET, POST' });
    await graphqlRoute(api, operating);
  });
  await app.register(async (api) => {
    // Agents ask with the other methods whether there is more to the protocol here: pages must be able to read the no.
    allowAnyOrigin(api, { [MCP_PATH]: 'GET, POST, DELETE' });
    mcpRoute(api, operating);
  });
  await app.register(async (api) => {
    allowAnyOrigin(api, { [UPLOAD_PATH]: 'POST' });
    await uploadRoute(api, { ...reading, folder });
  });
  await app.register(async (api) => streamRoute(api, { clock, gate, streams }));
  await app.register(async (api) => exportRoutes(api, reading));
  await app.register(async (api) => chatInRoutes(api, { db, clock, log, sender, config }));
  await app.register(async (api) => trackerRoutes(api, { db, clock, log, sender, config }));
  await app.register(async (api) => webhookRoutes(api, { ...reading, sender }));
  publish(app, '/api/v1/schema.graphql', 'application/graphql', () => printSdl(executor.schema));
  publish(app, OPENAPI_PATH, 'application/json', () => printOpenApi(prefixOf(baseUrl)));
  await app.register(async (api) => reachRoute(api, { clock, cipher, baseUrl, trustProxy }));
  playgroundRoute(app, config);
  sandboxRoute(app, { db, clock, sender, origins, baseUrl, isOn: config.sandbox });
}
