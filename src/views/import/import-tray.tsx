import { useSelector } from '@xstate/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { selectWaitsForPerson } from '../../machines/import-study/import-study.machine.ts';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import classes from './import.module.css';
import { TrayRow } from './tray-row.tsx';
import { useCalm } from './use-calm-selector.ts';
import { useOpened } from './use-opened.ts';

const askingOf = (imports: readonly TrayImport[]): readonly string[] =>
  imports.filter(({ actor }) => selectWaitsForPerson(actor.getSnapshot())).map(({ id }) => id);
const sameIds = (one: readonly string[], other: readonly string[]) => one.join(' ') === other.join(' ');

/** The imports of this session, newest first. `down`: the archive cannot tell of progress now. */
export const ImportTray = ({ actor, down }: { actor: ImportsActor; down: boolean }) => {
  const { t } = useTranslation('import');
  const imports = useSelector(actor, selectImports);
  const actors = useMemo(() => imports.map((one) => one.actor), [imports]);
  const asking = useCalm(actors, () => askingOf(imports), sameIds, 100);
  const { isOpen, setOpen } = useOpened(asking);
  if (imports.length === 0) return <p className={classes.quiet}>{t('trayEmpty')}</p>;
  return (
    <ul className={classes.tray} aria-label={t('tray')}>
      {imports.map((one) => (
        <TrayRow
          key={one.id}
          tray={actor}
          one={one}
          down={down}
          open={isOpen(one.id)}
          onOpen={(open) => setOpen(one.id, open)}
        />
      ))}
    </ul>
  );
};
