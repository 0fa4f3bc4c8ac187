class Client:
    def __del__(self):
        self.session.close()  # never set: connecting had failed


client = Client()
del client
print("and the program goes on")
