/**
 * The idempotency key of an item: its place in an execution, and a hash of what it does there. An agent may use the node
 * several times in one place, with other content.
 */
export function keyOfItem(place: readonly (string | number)[], content: unknown): string {
  const text = JSON.stringify(content) ?? '';
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) + i;
  }
  const hash = [a, b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
  return `n8n-${place.join('-')}-${hash}`.slice(0, 255).replace(/[^\x20-\x7e]/g, '_');
}
