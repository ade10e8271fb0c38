import { Notifications } from '@mantine/notifications';

const toastMs = 8000;

/** Renders the toasts at the bottom left for 8 seconds. */
export const ToastStrip = () => <Notifications position="bottom-left" autoClose={toastMs} limit={4} />;
