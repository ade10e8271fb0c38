import dayjs from 'dayjs';

/** Formats a moment as `YYYY-MM-DD HH:mm`. */
export const minuteText = (moment: string): string => dayjs(moment).format('YYYY-MM-DD HH:mm');
