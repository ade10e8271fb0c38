import { Button, Notification } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useTranslation } from 'react-i18next';
import classes from './session-problem.module.css';

/** Shows that the session is invalid until the user signs in again. */
export const SessionProblem = ({ onRestart }: { onRestart: () => void }) => {
  const { t } = useTranslation('shell');
  return (
    <div className={classes.place} role="alert">
      <Notification withCloseButton={false} color="red" icon={<IconAlertTriangle />} withBorder>
        {t('authorizationProblem')}
        <div className={classes.action}>
          <Button size="compact-sm" onClick={onRestart}>
            {t('restart')}
          </Button>
        </div>
      </Notification>
    </div>
  );
};
