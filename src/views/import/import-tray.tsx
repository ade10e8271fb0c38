import { Button } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { selectIsDone, selectWaitsForPerson } from '../../machines/import-study/import-study.machine.ts';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import classes from './import.module.css';
import { isReady, useTrayState } from './import-indicator.tsx';
import type { Outcome } from './shown-import.ts';
import { TrayRow } from './tray-row.tsx';
import { useThrottled } from './use-throttled.ts';

/** States that need attention come first. */
const order: readonly Outcome[] = ['needs-decision', 'failed', 'running', 'paused', 'done'];

/** Summary of all imports in one line, with bulk commands. */
export const TraySummary = ({ actor }: { actor: ImportsActor }) => {
  const { t } = useTranslation('import');
  const imports = useSelector(actor, selectImports);
  const { counts, ready, partly } = useTrayState(imports);
  const shown = { ...counts, done: counts.done - partly };
  if (imports.length === 0) return null;
  const importReady = () => {
    for (const one of imports) if (isReady(one.actor)) one.actor.send({ type: 'import.confirmed' });
  };
  // A failed import stays until the user has seen it.
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
        {partly > 0 && <span data-tone="needs-decision">{t('sum-partly', { count: partly })}</span>}
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

/**
 * Returns which waiting imports are expanded: those that the user expanded, and the first that waited, so that a later one
 * does not collapse it. `waiting`: ids in display order.
 */
export const useOpened = (waitingIds: readonly string[]) => {
  const [order, setOrder] = useState<readonly string[]>(waitingIds);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const waiting = order.filter((id) => waitingIds.includes(id));
  const next = [...waiting, ...waitingIds.filter((id) => !order.includes(id)).toReversed()];
  if (next.join(' ') !== order.join(' ')) setOrder(next);
  return {
    isOpen: (id: string): boolean => chosen[id] ?? next[0] === id,
    setOpen: (id: string, open: boolean) => setChosen((before) => ({ ...before, [id]: open })),
  };
};

const waitingIds = (imports: readonly TrayImport[]): readonly string[] =>
  imports.filter(({ actor }) => selectWaitsForPerson(actor.getSnapshot())).map(({ id }) => id);
const sameIds = (one: readonly string[], other: readonly string[]) => one.join(' ') === other.join(' ');

/** Lists the imports of this session, newest first. `isConnectionLost`: the connection for progress events is lost. */
export const ImportTray = ({ actor, isConnectionLost }: { actor: ImportsActor; isConnectionLost: boolean }) => {
  const { t } = useTranslation('import');
  const imports = useSelector(actor, selectImports);
  const actors = useMemo(() => imports.map((one) => one.actor), [imports]);
  const waiting = useThrottled(actors, () => waitingIds(imports), sameIds, 100);
  const { isOpen, setOpen } = useOpened(waiting);
  if (imports.length === 0) return <p className={classes.dimmed}>{t('trayEmpty')}</p>;
  return (
    <ul className={classes.tray} aria-label={t('tray')}>
      {imports.map((one) => (
        <TrayRow
          key={one.id}
          tray={actor}
          one={one}
          isConnectionLost={isConnectionLost}
          open={isOpen(one.id)}
          onOpen={(open) => setOpen(one.id, open)}
        />
      ))}
    </ul>
  );
};
