import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { ToolButton } from '../ui/tool-button.tsx';
import classes from './import.module.css';
import { ImportTray } from './import-tray.tsx';

interface TrayPanelProps {
  readonly actor: ImportsActor;
  readonly isConnectionLost: boolean;
  readonly onClose: () => void;
}

/** Non-modal panel with the imports. */
export const TrayPanel = ({ actor, isConnectionLost, onClose }: TrayPanelProps) => {
  const { t } = useTranslation('import');
  return (
    <section className={classes.trayPanel} aria-label={t('tray')} tabIndex={-1}>
      <header className={classes.trayHead}>
        <h2>{t('tray')}</h2>
        <Link href="/import" className={classes.toPage}>
          {t('openPage')}
        </Link>
        <ToolButton label={t('close')} onClick={onClose}>
          <IconX />
        </ToolButton>
      </header>
      <div className={classes.trayScroll}>
        <ImportTray actor={actor} isConnectionLost={isConnectionLost} />
      </div>
    </section>
  );
};
