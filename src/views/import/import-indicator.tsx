import { UnstyledButton } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import { ProgressRing } from '../parts/progress-ring.tsx';
import classes from './import.module.css';
import { useTrayState } from './use-tray-state.ts';

interface ImportIndicatorProps {
  readonly actor: ImportsActor;
  readonly opened: boolean;
  readonly onToggle: () => void;
}

/** How the imports stand, in the header: a ring while any runs, a sign when one needs a person. */
export const ImportIndicator = ({ actor, opened, onToggle }: ImportIndicatorProps) => {
  const { t } = useTranslation(['shell', 'import']);
  const imports = useSelector(actor, selectImports);
  const { counts, needsPerson, percent } = useTrayState(imports);
  const { running } = counts;
  if (imports.length === 0) return null;
  const label = running > 0 ? t('importsRunning', { count: running, percent }) : t('import:tray');
  return (
    <UnstyledButton
      className={classes.indicator}
      data-tone={needsPerson ? 'asks' : running > 0 ? 'running' : 'settled'}
      aria-label={label}
      title={label}
      aria-expanded={opened}
      onClick={onToggle}
    >
      {needsPerson ? <IconAlertTriangle /> : running > 0 ? <ProgressRing percent={percent} /> : <IconCheck />}
      {running > 0 && <span>{t('running', { count: running })}</span>}
    </UnstyledButton>
  );
};
