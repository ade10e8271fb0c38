import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import type { PartState } from '../../../contract/system-status.ts';
import classes from './parts.module.css';

const icons = { ok: IconCircleCheck, attention: IconAlertTriangle, error: IconCircleX };

/** The state of a part: an icon and a word. */
export const StateMark = ({ state, children }: { readonly state: PartState; readonly children: string }) => {
  const Icon = icons[state];
  return (
    <span className={classes.state} data-state={state}>
      <Icon aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
};
