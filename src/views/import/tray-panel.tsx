import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useSelector } from '@xstate/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { type ImportsActor, selectImportCount } from '../../machines/imports/imports.machine.ts';
import { ToolButton } from '../ui/tool-button.tsx';
import classes from './import.module.css';
import { ImportTray } from './import-tray.tsx';

interface TrayPanelProps {
  readonly actor: ImportsActor;
  readonly isConnectionLost: boolean;
  /** Images on the way to devices; null without any. */
  readonly sendings: ReactNode;
  readonly onClose: () => void;
}

/** Non-modal panel with the imports, and with the images on the way to devices. */
export const TrayPanel = ({ actor, isConnectionLost, sendings, onClose }: TrayPanelProps) => {
  const { t } = useTranslation('import');
  const imports = useSelector(actor, selectImportCount);
  const title = sendings ? t('trayWithSendings') : t('tray');
  return (
    <section className={classes.trayPanel} aria-label={title} tabIndex={-1}>
      <header className={classes.trayHead}>
        <h2>{title}</h2>
        <Link href="/import" className={classes.toPage}>
          {t('openPage')}
        </Link>
        <ToolButton label={t('close')} onClick={onClose}>
          <IconX />
        </ToolButton>
      </header>
      <div className={classes.trayScroll}>
        {sendings}
        {(imports > 0 || !sendings) && <ImportTray actor={actor} isConnectionLost={isConnectionLost} />}
      </div>
    </section>
  );
};
