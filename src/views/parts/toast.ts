import { notifications } from '@mantine/notifications';

interface Toast {
  readonly tone: 'good' | 'plain' | 'bad';
  readonly text: string;
  /** What the close button is called. */
  readonly close: string;
}

const colors = { good: 'teal', plain: 'gray', bad: 'red' } as const;

/** A line at the bottom left for 8 seconds, or several; the same is never there twice. */
export const toast = ({ tone, text, close }: Toast): void => {
  notifications.show({
    id: text,
    message: text,
    style: { whiteSpace: 'pre-line' },
    color: colors[tone],
    withCloseButton: true,
    closeButtonProps: { 'aria-label': close },
  });
};
