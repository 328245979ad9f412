import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { fitLine } from '../../platform/texts/text.ts';
import { type Attributes, type CompanyProfile, MAX_COMPANIES, parseCompany } from '../companies/company.ts';

/** Claims of a company that are not attributes of it. Other products write the revenue in ways of their own. */
const REVENUE = ['monthlyRevenue', 'monthlySpend', 'monthly_spend', 'mrr'] as const;
const OWN: ReadonlySet<string> = new Set(['id', 'name', 'plan', 'attributes', 'customFields', 'created', ...REVENUE]);
const MAX_ATTRIBUTES = 50;

/**
 * The companies that the claims `company` or `companies` of a token name: objects, or texts that are both id and name.
 * @param notes gets what was ignored
 * @returns null without such a claim: then the companies of the user stay as they are
 */
export function readCompanies(
  { company, companies }: Record<string, unknown>,
  notes: LocalizedMessage[],
): CompanyProfile[] | null {
  if (company === undefined && companies === undefined) return null;
  const given = [company ?? [], companies ?? []].flat();
  const read = given.slice(0, MAX_COMPANIES).flatMap((each) => readCompany(each) ?? []);
  const kept = [...new Map(read.map((each) => [each.id, each])).values()];
  if (kept.length < given.length) notes.push(msg('tokenCompanyIgnored', MAX_COMPANIES));
  return kept;
}

function readCompany(value: unknown): CompanyProfile | null {
  const claims: Record<string, unknown> =
    typeof value === 'object' && value !== null ? { ...value } : { id: value, name: value };
  const id = readText(claims.id, 255) || readText(claims.name, 255);
  const name = readText(claims.name, 100);
  if (!id) return null;
  const revenue = REVENUE.map((key) => claims[key]).find((amount) => amount != null);
  const rest = Object.entries(claims).filter(([key]) => !OWN.has(key));
  const attributes = readAttributes({
    ...toObject(claims.customFields),
    ...toObject(claims.attributes),
    ...Object.fromEntries(rest),
  });
  const profile = {
    id,
    ...(name && { name }),
    ...(claims.plan !== undefined && { plan: readText(claims.plan, 100) || null }),
    ...(revenue !== undefined && Number.isFinite(Number(revenue)) && { monthlyRevenue: Number(revenue) }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
  try {
    parseCompany(profile);
    return profile;
  } catch {
    return null;
  }
}

function readText(value: unknown, max: number): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : '';
  return typeof value === 'string' ? fitLine(value, max) : '';
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function readAttributes(claims: object): Attributes {
  const kept = Object.entries(claims).flatMap(([key, value]): [string, string | number | boolean][] => {
    if (fitLine(key, 100) !== key) return [];
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return [[key, value]];
    return typeof value === 'string' ? [[key, fitLine(value, 200)]] : [];
  });
  return Object.fromEntries(kept.slice(0, MAX_ATTRIBUTES));
}
