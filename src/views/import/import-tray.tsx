import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import { useGround } from '../ground.tsx';
import classes from './import.module.css';
import { ImportRow } from './import-row.tsx';
import { firstOffer } from './offers.ts';
import { useShownImport } from './use-shown-import.ts';

const TrayRow = ({ tray, one }: { tray: ImportsActor; one: TrayImport }) => {
  const shown = useShownImport(one.actor);
  const { addFiles } = useGround();
  const remove = () => {
    const { taskId } = one.actor.getSnapshot().context;
    if (taskId) firstOffer(tray, taskId);
    tray.send({ type: 'import.removed', id: one.id });
  };
  return (
    <ImportRow
      shown={shown}
      href={`/patient/${one.patientId}`}
      actions={{
        onConfirm: () => one.actor.send({ type: 'import.confirmed' }),
        onResume: () => one.actor.send({ type: 'import.resumed' }),
        onAdd: (files) => addFiles(one.actor, files),
        onRetry: () => one.actor.send({ type: 'import.retried' }),
        onCancel: () => {
          one.actor.send({ type: 'import.cancelled' });
          remove();
        },
        onRemove: remove,
      }}
    />
  );
};

/** The imports of this session, newest first. */
export const ImportTray = ({ actor }: { actor: ImportsActor }) => {
  const { t } = useTranslation('import');
  const imports = useSelector(actor, selectImports);
  if (imports.length === 0) return <p className={classes.quiet}>{t('trayEmpty')}</p>;
  return (
    <ul className={classes.tray} aria-label={t('tray')}>
      {imports.map((one) => (
        <TrayRow key={one.id} tray={actor} one={one} />
      ))}
    </ul>
  );
};
