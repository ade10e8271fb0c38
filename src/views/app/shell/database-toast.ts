import { notifications } from '@mantine/notifications';
import type { i18n } from 'i18next';
import { toast } from '../../ui/toast.ts';

const id = 'database-away';

/** Shows a toast until the database is available again. */
export const showDatabaseUnavailable = ({ t }: i18n): void => {
  notifications.show({
    id,
    message: t('databaseAway', { ns: 'shell' }),
    color: 'red',
    autoClose: false,
    withCloseButton: false,
  });
};

export const showDatabaseAvailable = ({ t }: i18n): void => {
  notifications.hide(id);
  toast({ tone: 'good', text: t('databaseBack', { ns: 'shell' }), close: t('close', { ns: 'shell' }) });
};
