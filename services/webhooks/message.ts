/** What is posted to a receiver. The body is the same bytes at every attempt. */
export interface Message {
  eventId: string
  deliveryId: string
  type: string
  body: Buffer
}
