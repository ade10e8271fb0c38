import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import type { ReactNode } from 'react';
import classes from './icon-alert.module.css';

/** An error (red) or warning (amber) line with its icon. */
export const IconAlert = ({ tone = 'bad', children }: { tone?: 'bad' | 'caution'; children: ReactNode }) => (
  <p className={classes.alert} data-tone={tone}>
    <IconAlertTriangle aria-hidden="true" />
    <span>{children}</span>
  </p>
);
