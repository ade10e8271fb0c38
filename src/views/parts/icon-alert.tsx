import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import type { ReactNode } from 'react';
import classes from './icon-alert.module.css';

/** A line of bad news (red) or of caution (amber), always with its sign. */
export const IconAlert = ({ tone = 'bad', children }: { tone?: 'bad' | 'caution'; children: ReactNode }) => (
  <p className={classes.alert} data-tone={tone}>
    <IconAlertTriangle aria-hidden="true" />
    <span>{children}</span>
  </p>
);
