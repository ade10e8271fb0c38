import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconUserQuestion from '@tabler/icons-react/dist/esm/icons/IconUserQuestion.mjs';
import IconUserX from '@tabler/icons-react/dist/esm/icons/IconUserX.mjs';
import type { ReactNode } from 'react';
import classes from './patient.module.css';

export type Tone = 'good' | 'caution' | 'bad' | 'asks';

const icons = { good: IconCircleCheck, caution: IconAlertTriangle, bad: IconUserX, asks: IconUserQuestion };

/** How the files and the patient go together, by sign, word and colour. */
export const MatchLine = ({ tone, children }: { tone: Tone; children: ReactNode }) => {
  const Icon = icons[tone];
  return (
    <p className={classes.match} data-tone={tone}>
      <Icon aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
};
