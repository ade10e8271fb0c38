import { Button } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { selectIsDone } from '../../machines/import-study/import-study.machine.ts';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import classes from './import.module.css';
import type { Outcome } from './shown-import.ts';
import { isReady, useTrayState } from './use-tray-state.ts';

/** What needs somebody comes first. */
const order: readonly Outcome[] = ['asks', 'failed', 'running', 'paused', 'done'];

/** How all imports stand, in one line, and what can be done with many at once. */
export const TraySummary = ({ actor }: { actor: ImportsActor }) => {
  const { t } = useTranslation('import');
  const imports = useSelector(actor, selectImports);
  const { counts, ready, partly } = useTrayState(imports);
  const shown = { ...counts, done: counts.done - partly };
  if (imports.length === 0) return null;
  const importReady = () => {
    for (const one of imports) if (isReady(one.actor)) one.actor.send({ type: 'import.confirmed' });
  };
  // One that stopped stays until somebody has seen it.
  const clear = () => {
    for (const { id, actor: one } of imports)
      if (selectIsDone(one.getSnapshot())) actor.send({ type: 'import.removed', id });
  };
  return (
    <div className={classes.summary}>
      <p className={classes.sums}>
        {order.map(
          (outcome) =>
            shown[outcome] > 0 && (
              <span key={outcome} data-tone={outcome}>
                {t(`sum-${outcome}`, { count: shown[outcome] })}
              </span>
            ),
        )}
        {partly > 0 && <span data-tone="asks">{t('sum-partly', { count: partly })}</span>}
      </p>
      {ready > 0 && (
        <Button size="compact-md" onClick={importReady}>
          {t('importReady', { count: ready })}
        </Button>
      )}
      {counts.done > 0 && (
        <Button size="compact-md" variant="subtle" color="gray" className={classes.clear} onClick={clear}>
          {t('clearFinished')}
        </Button>
      )}
    </div>
  );
};
