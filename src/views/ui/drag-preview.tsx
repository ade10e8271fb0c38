import { Portal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './drag-preview.module.css';
import type { Drag } from './use-drag.ts';

/** The dragged item under the pointer; paler where it cannot be dropped. */
export const DragPreview = <Dragged,>({ drag, children }: { drag: Drag<Dragged>; children: ReactNode }) =>
  drag.dragged === null ? null : (
    <Portal>
      <div
        ref={drag.previewRef}
        className={classes.preview}
        data-homeless={drag.target === null || undefined}
        aria-hidden
      >
        {children}
      </div>
    </Portal>
  );
