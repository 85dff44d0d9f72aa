/* A driver empties its send queue.  The lock protects the queue and must not be held while a packet
   is sent, so it is given up and taken again for as long as there was something to send. */
extern void reach_error(void);
extern int packet_waits(void);
extern int transmit(void);

struct device {
    int locked;
    unsigned sent;
};

static void lock(struct device *dev)
{
    if (dev->locked)
        reach_error(); /* taken twice: a deadlock */
    dev->locked = 1;
}

static void unlock(struct device *dev)
{
    if (!dev->locked)
        reach_error(); /* given up twice */
    dev->locked = 0;
}

static int drain(struct device *dev)
{
    unsigned before;

    do {
        lock(dev);
        before = dev->sent;
        if (packet_waits()) {
            unlock(dev);
            if (transmit() < 0)
                return -1;
            dev->sent++;
        }
    } while (dev->sent != before);
    unlock(dev);
    return 0;
}

int main(void)
{
    static struct device eth0;

    drain(&eth0);
    if (eth0.locked)
        reach_error(); /* never given up */
    return 0;
}
