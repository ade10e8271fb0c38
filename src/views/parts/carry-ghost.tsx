import { Portal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './carry-ghost.module.css';
import type { Carry } from './use-carry.ts';

/** What is carried, under the pointer; paler where nothing would take it. */
export const CarryGhost = <Carried,>({ carry, children }: { carry: Carry<Carried>; children: ReactNode }) =>
  carry.carried === null ? null : (
    <Portal>
      <div ref={carry.ghost} className={classes.ghost} data-homeless={carry.target === null || undefined} aria-hidden>
        {children}
      </div>
    </Portal>
  );
