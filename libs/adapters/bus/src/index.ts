export { localRequests } from './local-requests.js';
export { type OutboxDelivery, outboxDelivery, type OutboxDeliveryOptions } from './outbox-delivery.js';
