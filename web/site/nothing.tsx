import { data, type LoaderFunctionArgs } from 'react-router';
import { visitContext } from '../lib/visit.ts';
import { findFrame } from '../parts/requests/frame.ts';

/** Every URL without a page. One below no board has the frame of the only one. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  throw data({ frame: params.pid ? null : await findFrame(context.get(visitContext), null) }, { status: 404 });
}

export default function Nothing() {
  return null;
}
