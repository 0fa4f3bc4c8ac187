import time

from shop.rates import RATE

from ..prices import handle as price


class Scale:
    def weigh(self, size):
        time.sleep(0.01)
        return price(size) * RATE


scale = Scale()
