import { notifications } from '@mantine/notifications';

interface Toast {
  readonly tone: 'good' | 'bad';
  readonly text: string;
  /** What the close button is called. */
  readonly close: string;
}

/** A line at the bottom left for 8 seconds, or several; the same is never there twice. */
export const toast = ({ tone, text, close }: Toast): void => {
  notifications.show({
    id: text,
    message: text,
    style: { whiteSpace: 'pre-line' },
    color: tone === 'good' ? 'teal' : 'red',
    withCloseButton: true,
    closeButtonProps: { 'aria-label': close },
  });
};
