/** An order of a panoramic image on any device, without its patient. */
export const orderBody = () => ({
  procedure: 'Panorama',
  modality: 'PX' as const,
  stationId: null,
  day: '2026-01-31',
  time: '09:30',
  comment: '',
});
