/** What `closedby="any"` does, for browsers that do not know it: a press outside of a dialog closes it. */
function onClick({ target, clientX, clientY }: MouseEvent): void {
  if (!(target instanceof HTMLDialogElement) || target.getAttribute('closedby') !== 'any') return;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  if (clientX < left || clientX > right || clientY < top || clientY > bottom) target.close();
}

if (!import.meta.env.SSR && !('closedBy' in HTMLDialogElement.prototype)) document.addEventListener('click', onClick);
