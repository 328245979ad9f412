import { useBoard } from '../requests/locale.ts';

/** The heading of a settings page, which also names the browser's tab. */
export function PageTitle({ children }: { children: string }) {
  const board = useBoard();
  return (
    <>
      <title>{`${children} · ${board?.name ?? ''}`}</title>
      <h1>{children}</h1>
    </>
  );
}
