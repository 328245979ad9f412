import { type DragEvent, useState } from 'react';

/** Where a dragged row would go: before this row, or after it. */
type Place = { id: string; isAfter: boolean };

/**
 * Rows that can be dragged into another order by a handle, with a pointer. It is a shortcut: every list also has buttons
 * that move its rows, for keys, touch screens and screen readers.
 * @param ids the rows in their order
 * @param onMove called with the dragged row and the row that it was dropped before; null: at the end
 */
export function useDragOrder(ids: readonly string[], onMove: (id: string, before: string | null) => void) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const end = () => {
    setDragged(null);
    setPlace(null);
  };
  return {
    handleOf: (id: string) => ({
      draggable: true,
      onDragStart({ currentTarget, dataTransfer }: DragEvent<HTMLElement>) {
        setDragged(id);
        dataTransfer.effectAllowed = 'move';
        const row = currentTarget.closest('li');
        if (row) dataTransfer.setDragImage(row, 0, 0);
      },
      onDragEnd: end,
    }),
    rowOf: (id: string) => ({
      'data-drop': place?.id === id ? (place.isAfter ? 'after' : 'before') : undefined,
      onDragOver(event: DragEvent<HTMLElement>) {
        if (dragged === null) return;
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        const isAfter = event.clientY > top + height / 2;
        if (place?.id !== id || place.isAfter !== isAfter) setPlace({ id, isAfter });
      },
      onDrop(event: DragEvent<HTMLElement>) {
        if (dragged === null || place === null) return;
        event.preventDefault();
        const before = ids[ids.indexOf(place.id) + (place.isAfter ? 1 : 0)] ?? null;
        const next = ids[ids.indexOf(dragged) + 1] ?? null;
        if (before !== dragged && before !== next) onMove(dragged, before);
        end();
      },
    }),
  };
}
