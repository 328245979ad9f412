/** Every URL without a page. */
export function loader() {
  throw new Response(null, { status: 404 });
}

export default function Nothing() {
  return null;
}
