import { hash, timingSafeEqual } from 'node:crypto';
import type { Provider } from 'oidc-provider';
import { type KeyBudget, readBudget } from '../../identity/keys/budget.ts';
import { createKey, type KeyRow, type Permission } from '../../identity/keys/keys.ts';
import { changeKey } from '../../identity/keys/managing.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { badRequest } from '../../platform/errors.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { isId, makeToken } from '../../platform/lib/ids.ts';
import { NetworkLimit } from '../../platform/limits/network-limit.ts';
import type { RateRule } from '../../platform/limits/rate-limit.ts';
import { msg } from '../../platform/messages.ts';
import { fitLine } from '../../platform/texts/text.ts';
import type { Dial } from '../../webhooks/http/exchange.ts';
import { describeTarget, fetchMetadata, makeMetadataDial } from './metadata.ts';
import { AGENT_PATHS, SCOPES } from './paths.ts';
import type { ProviderDeps } from './provider.ts';
import { findMetadata, keepMetadata } from './records.ts';

/** An agent connects with several messages, and calls tools in parallel. */
const RATES: readonly RateRule[] = [
  { seconds: 1, limit: 20 },
  { seconds: 60, limit: 240 },
  { seconds: 3_600, limit: 3_600 },
];

/** The metadata of clients that are read at most, for all networks together. */
const FETCHES = { most: 600, windowMs: MINUTE_MS };
/** The metadata of clients that one network has read at most. */
const FETCHES_OF_ONE = { most: 20, windowMs: MINUTE_MS };

type Interaction = InstanceType<Provider['Interaction']>;
type Deps = Omit<ProviderDeps, 'isConnected' | 'countFetch' | 'fetchMetadata' | 'isKnown'>;

/** What an agent asks the owner of a board for. */
export type AskedAgent = {
  /** As the agent calls itself: anyone can call themselves anything. */
  name: string;
  /** Where it gets its answer, which no one else can choose: the host of its website, or an app on this device. */
  host: string;
  isOnThisDevice: boolean;
  asksToWrite: boolean;
};

/** What the owner allows it. */
export type Allowed = { name: string; permissions: readonly Permission[]; budget: KeyBudget };

/** Lets agents sign in by OAuth and their owners decide. Each agent is an API key without a secret, so all that keys have, it has. */
export class AgentSignIn {
  readonly #deps: Deps;
  readonly #dial: Dial;
  readonly #fetches: NetworkLimit;
  readonly #fetchesOfOne: NetworkLimit;
  #loading: Promise<Provider> | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#dial = makeMetadataDial(deps.sender);
    this.#fetches = new NetworkLimit(deps.clock, FETCHES);
    this.#fetchesOfOne = new NetworkLimit(deps.clock, FETCHES_OF_ONE);
  }

  /** The authorization server; loaded for the first agent, since it takes memory that a server without agents can do without. */
  provider(): Promise<Provider> {
    this.#loading ??= import('./provider.ts').then(({ makeProvider }) =>
      makeProvider({
        ...this.#deps,
        isConnected: (id) => this.#isConnected(id),
        countFetch: (network) => {
          this.#fetchesOfOne.count(network);
          this.#fetches.count('all');
        },
        fetchMetadata: (url) => this.#fetchMetadata(url),
        isKnown: async (clientId) => (await findMetadata(this.#deps, clientId)) !== null,
      }),
    );
    return this.#loading;
  }

  /** What is asked for in a request of this id; null if there is none, any longer. */
  async find(uid: string): Promise<AskedAgent | null> {
    const { Interaction, Client } = await this.provider();
    const interaction = await Interaction.find(uid);
    const client = interaction && (await Client.find(String(interaction.params.client_id)));
    const target = describeTarget(String(interaction?.params.redirect_uri ?? ''));
    if (!client || !target) return null;
    const scopes = String(interaction.params.scope ?? '').split(' ');
    return {
      name: fitLine(client.clientName ?? '', 100) || target.host,
      ...target,
      asksToWrite: scopes.includes('write'),
    };
  }

  /**
   * Connects the agent to the board, as the actor: the same client gets the same key again.
   * @returns the address at which the agent is told
   * @throws FORBIDDEN; BAD_REQUEST if the request is over
   */
  async allow(context: ActorContext, uid: string, allowed: Allowed): Promise<string> {
    requireRight(context.actor, 'key.manage');
    const provider = await this.provider();
    const interaction = await provider.Interaction.find(uid);
    if (!interaction) throw badRequest(msg('agentRequestOver'));
    const clientId = String(interaction.params.client_id);
    const { id } = await this.#connect(context, clientId, allowed);
    const grant = new provider.Grant({ accountId: id, clientId });
    grant.addResourceScope(this.#deps.baseUrl + AGENT_PATHS.resource, scopesOf(allowed.permissions));
    const client = await provider.Client.find(clientId);
    if (client) await keepMetadata(this.#deps, clientId, client.metadata());
    return this.#decide(interaction, {
      login: { accountId: id, remember: false },
      consent: { grantId: await grant.save() },
    });
  }

  /** Refuses the agent. @returns the address at which it is told; null if the request is over */
  async refuse(uid: string): Promise<string | null> {
    const interaction = await (await this.provider()).Interaction.find(uid);
    if (!interaction) return null;
    return this.#decide(interaction, {
      error: 'access_denied',
      error_description: 'The owner of the board has refused',
    });
  }

  /** Whether a browser comes from the page on which its request was decided. @param proof what that page has given it */
  async isDecided(uid: string, proof: string): Promise<boolean> {
    const interaction = await (await this.provider()).Interaction.find(uid);
    const expected = (interaction?.result as { proof?: string } | undefined)?.proof ?? '';
    return expected !== '' && isSame(expected, proofOf(proof));
  }

  /** Who could put cookies into the browser of an owner could not go on in their place: only that browser gets the address. */
  async #decide(interaction: Interaction, result: object): Promise<string> {
    const proof = makeToken(32);
    interaction.result = { ...result, proof: proofOf(proof) };
    await interaction.persist();
    return `${interaction.returnTo}?proof=${proof}`;
  }

  async #fetchMetadata(url: string): Promise<Response> {
    try {
      return await fetchMetadata(this.#dial, this.#deps.sender.version, url);
    } catch (error) {
      const known = await findMetadata(this.#deps, url);
      if (known === null) throw error;
      return Response.json(known);
    }
  }

  /**
   * A client that one person connects again keeps its key, with what was set only there: addresses, limits of requests, the
   * end, the only tags. What was decided on the page is what was decided last.
   */
  async #connect(context: ActorContext, clientId: string, { name, permissions, budget }: Allowed): Promise<KeyRow> {
    const { db, board, actor, clock } = context;
    const own = db.read.selectFrom('api_keys').selectAll().where('board_id', '=', board.id);
    const same = own.where('client_id', '=', clientId).where('default_user_id', '=', actor.id);
    const usable = same.where('date_revoked', 'is', null);
    const query = usable.where((e) => e.or([e('date_expires', 'is', null), e('date_expires', '>', clock.now())]));
    const before = await query.executeTakeFirst();
    if (before) {
      const { tags } = readBudget(before.budget);
      const kept = { allowedIps: JSON.parse(before.allowed_ips), rateRules: JSON.parse(before.rate_limits) };
      const changes = { name, permissions, budget: { ...budget, tags }, expiresAt: before.date_expires };
      return changeKey(context, before.id, { ...kept, ...changes });
    }
    const of = { defaultUserId: actor.id, isBound: true, madeBy: actor.id, clientId };
    return (await createKey(context, { name, permissions, budget, rateRules: RATES, ...of })).row;
  }

  async #isConnected(agentId: string): Promise<boolean> {
    const { db, clock } = this.#deps;
    if (!isId(agentId)) return false;
    const query = db.read.selectFrom('api_keys').select('date_expires').where('id', '=', agentId);
    const key = await query.where('date_revoked', 'is', null).executeTakeFirst();
    return key !== undefined && (key.date_expires === null || key.date_expires > clock.now());
  }
}

function proofOf(proof: string): string {
  return hash('sha256', proof, 'base64url');
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function scopesOf(permissions: readonly Permission[]): string {
  return SCOPES.filter((scope) => permissions.some((permission) => permission.toLowerCase() === scope)).join(' ');
}
