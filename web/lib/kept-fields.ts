/** Fields that are never sent back into a page. */
const SECRET_FIELD = /password|^(code|token|passkey)$/i;

/**
 * How much of a form a page redisplays: three of the longest texts fit. Every character can become ten bytes of the
 * page.
 */
export const MAX_KEPT_CHARACTERS = 60_000;

/** The fields of a form that a page redisplays: no secrets, and no more than a person types. */
export function keptFields(values: Record<string, string>): [string, string][] {
  let left = MAX_KEPT_CHARACTERS;
  return Object.entries(values).filter(([name, text]) => {
    const size = name.length + text.length;
    if (SECRET_FIELD.test(name) || size > left) return false;
    left -= size;
    return true;
  });
}
