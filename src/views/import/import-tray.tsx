import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import classes from './import.module.css';
import { TrayRow } from './tray-row.tsx';

/** The imports of this session, newest first. `down`: the archive cannot tell of progress now. */
export const ImportTray = ({ actor, down }: { actor: ImportsActor; down: boolean }) => {
  const { t } = useTranslation('import');
  const imports = useSelector(actor, selectImports);
  if (imports.length === 0) return <p className={classes.quiet}>{t('trayEmpty')}</p>;
  return (
    <ul className={classes.tray} aria-label={t('tray')}>
      {imports.map((one) => (
        <TrayRow key={one.id} tray={actor} one={one} down={down} />
      ))}
    </ul>
  );
};
