import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useTranslation } from 'react-i18next';
import { ToolButton } from '../parts/tool-button.tsx';
import classes from './reading-room.module.css';

/** The way out of the focus mode for those without a keyboard. */
export const LeaveFocusMode = ({ onLeave }: { onLeave: () => void }) => {
  const { t } = useTranslation('viewer');
  return (
    <div className={classes.leave} data-on-black>
      <ToolButton label={t('leaveFocusMode')} shortcut="H" onClick={onLeave}>
        <IconX />
      </ToolButton>
    </div>
  );
};
