import { Tooltip } from '@mantine/core';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useTranslation } from 'react-i18next';
import { clipName } from '../parts/clip-name.ts';
import classes from './clinic-chip.module.css';

/** The clinic one works in. Who may leave it gets a way to. */
export const ClinicChip = ({ name, onLeave }: { name: string; onLeave: (() => void) | null }) => {
  const { t } = useTranslation('shell');
  const clipped = clipName(name);
  const shown = (
    <span className={classes.name}>
      <span className={classes.spoken}>{t('currentClinic', { name })}</span>
      <span aria-hidden="true">{clipped}</span>
    </span>
  );
  return (
    <div className={classes.chip}>
      {clipped === name ? shown : <Tooltip label={name}>{shown}</Tooltip>}
      {onLeave && (
        <button type="button" className={classes.leave} aria-label={t('leaveClinic', { name })} onClick={onLeave}>
          <IconX />
        </button>
      )}
    </div>
  );
};
